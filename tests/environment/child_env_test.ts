import {
  childEnv,
  isKeyVariable,
  withoutLoaderVariables,
} from "../../lib/environment/child_env.ts";
import { assert, assertEquals } from "../assert.ts";

const PROVIDER_KEYS = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"];

Deno.test("E5 B09 childEnv() keeps every variable but the models' keys", () => {
  const kept = { PATH: "/a:/b::relative", BUB_MODEL: "m", MY_API_KEY: "x", EMPTY: "" };
  const keys = {
    BUB_API_KEY: "1",
    BUB_OPENAI_API_KEY: "2",
    BUB_MY_OWN_API_KEY: "3",
    BUB_CLIENT_ARGS: '{"headers":{}}',
    OPENAI_API_KEY: "4",
    ANTHROPIC_API_KEY: "5",
  };
  assertEquals(childEnv({ ...kept, ...keys }, [], PROVIDER_KEYS), kept);
});

Deno.test("E5 childEnv() keeps the keys that env.pass names", () => {
  const env = { OPENAI_API_KEY: "a", ANTHROPIC_API_KEY: "b", BUB_API_KEY: "c" };
  assertEquals(childEnv(env, ["OPENAI_API_KEY", "BUB_API_KEY"], PROVIDER_KEYS), {
    OPENAI_API_KEY: "a",
    BUB_API_KEY: "c",
  });
});

Deno.test("E5 isKeyVariable() knows bub's keys by form and the providers' by name, in any case", () => {
  for (const name of ["BUB_API_KEY", "BUB_X_API_KEY", "bub_x_api_key", "OpenAI_Api_Key"]) {
    assert(isKeyVariable(name, PROVIDER_KEYS), name);
  }
  for (const name of ["API_KEY", "XBUB_API_KEY", "BUB_API_KEYS", "GROQ_API_KEY", "BUB_API_BASE"]) {
    assert(!isKeyVariable(name, PROVIDER_KEYS), name);
  }
});

Deno.test("withoutLoaderVariables() drops what only the whole run permission may pass on", () => {
  const env = { LD_PRELOAD: "x", DYLD_LIBRARY_PATH: "y", OLD_LD_X: "z", PATH: "p" };
  assertEquals(withoutLoaderVariables(env), { OLD_LD_X: "z", PATH: "p" });
});
