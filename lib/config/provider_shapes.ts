import { isJsonObject } from "../json.ts";
import { CLIENT_ARG_NAMES } from "../model/client_args.ts";
import { isHeaderName, isHeaderValue, NO_KEY } from "../model/header.ts";
import { isProviderName, PROVIDER_NAMES } from "../model/provider.ts";
import {
  objectOf,
  positiveNumber,
  recordOf,
  type Shape,
  shape,
  text,
  unknownKey,
} from "./shape.ts";

/** A provider's key, which has to go into a header. */
export const key: Shape = (value) =>
  text(value) ?? (isHeaderValue(String(value)) ? null : { path: [], problem: NO_KEY });

/** An object with a member for each provider, by its name. */
export function byProvider(item: Shape, expected: string): Shape {
  const record = recordOf(item, expected);
  return (value) => {
    const names = isJsonObject(value) ? Object.keys(value) : [];
    const unknown = names.find((name) => !isProviderName(name.replaceAll("_", "-")));
    if (unknown === undefined) return record(value);
    return { ...unknownKey(unknown, PROVIDER_NAMES), path: [unknown] };
  };
}

/** Texts and what reads as one; null counts as left out. */
const scalar = shape("text", (value) => value === null || typeof value !== "object");

const query = orNull(recordOf(scalar, "an object of texts"));

const headerValue: Shape = (value) =>
  scalar(value) ?? (isHeaderValue(String(value)) ? null : {
    path: [],
    problem: "has a character that no header can have: a line break or one beyond Latin-1",
  });

const headerValues = recordOf(headerValue, "an object of texts");

const headers = orNull((value) => {
  const name = Object.keys(value ?? {}).find((name) => !isHeaderName(name));
  return headerValues(value) ??
    (name === undefined ? null : { path: [name], problem: "is no name of a header" });
});

/** What the client of a provider can be told. */
export const clientArgs: Shape = objectOf({
  ...named(CLIENT_ARG_NAMES.headers, headers),
  ...named(CLIENT_ARG_NAMES.query, query),
  ...named(CLIENT_ARG_NAMES.timeout, orNull(positiveNumber)),
  ...named(CLIENT_ARG_NAMES.organization, headerValue),
  ...named(CLIENT_ARG_NAMES.project, headerValue),
});

function named(names: readonly string[], each: Shape): Readonly<Record<string, Shape>> {
  return Object.fromEntries(names.map((name) => [name, each]));
}

function orNull(other: Shape): Shape {
  return (value) => value === null ? null : other(value);
}
