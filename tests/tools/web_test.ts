import { brotliCompressSync } from "node:zlib";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "../assert.ts";
import { BubError } from "../../lib/errors.ts";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { webFetch } from "../../tools/web.ts";
import {
  closedByClient,
  type RawRequest,
  RawServer,
  respond,
  send,
} from "../environment/raw_server.ts";
import { temporaryHost } from "../environment/temporary_host.ts";
import { refusal, runTool } from "./run_tool.ts";

const MIB = 1024 * 1024;
const TEXT = "Content-Type: text/plain";

/** One GET through the tool, from a host environment. */
async function get(args: Record<string, unknown>, signal?: AbortSignal): Promise<JsonObject> {
  await using host = await temporaryHost();
  const result = await runTool(webFetch, host.environment, args, signal);
  assert(isJsonObject(result as JsonObject));
  return result as JsonObject;
}

async function failure(args: Record<string, unknown>, part = ""): Promise<BubError> {
  return await assertRejects(() => get(args), BubError, part);
}

/** A server whose paths answer 200 with fixed headers and bodies. */
function pages(
  answers: Readonly<Record<string, readonly [headers: string[], body: string | Uint8Array]>>,
): RawServer {
  return new RawServer(async ({ path, connection }) => {
    const [headers, body] = answers[path] ?? [[], "no such page"];
    await respond(connection, "200 OK", headers, body);
  });
}

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === "string" ? Array.from(part, (c) => c.charCodeAt(0)) : part
    ),
  );

async function compressed(data: Uint8Array<ArrayBuffer>, format: CompressionFormat) {
  const stream = new Blob([data]).stream().pipeThrough(new CompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

Deno.test("W1 web.fetch returns url, status, type and body, and asks for markdown", async () => {
  await using server = new RawServer(({ connection, head }) =>
    respond(connection, "203 Fine", ["Content-Type: text/plain; charset=utf-8"], head)
  );
  const result = await get({ url: `${server.url}/a?b=ü#part` });
  const { body, ...rest } = result;
  assertEquals(rest, {
    url: `${server.url}/a?b=%C3%BC#part`,
    status: 203,
    content_type: "text/plain; charset=utf-8",
  });
  assertMatch(String(body), /^GET \/a\?b=%C3%BC HTTP\/1\.1\r\n/);
  assertMatch(String(body), /^accept: text\/markdown\r$/m);
});

Deno.test("W1 B76 web.fetch reads pages in the charset they declare", async () => {
  const sjis = [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea];
  const gbk = [0xd6, 0xd0, 0xce, 0xc4];
  const cyrillic = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2];
  const meta = (charset: string) => `<html><meta charset="${charset}"><p>`;
  const html = "Content-Type: text/html";
  const wide = bytes([0xff, 0xfe], Array.from("hé", (c) => [c.charCodeAt(0), 0]).flat());
  const widerBig = bytes([0xfe, 0xff], Array.from("hé", (c) => [0, c.charCodeAt(0)]).flat());
  const readable: [headers: string[], body: Uint8Array, text: string, note?: string][] = [
    [[`${html}; charset=Shift_JIS`], bytes(sjis), "日本語"],
    [[html], bytes(meta("gbk"), gbk), `${meta("gbk")}中文`],
    [[`${html}; charset=utf-8`], bytes(meta("windows-1251"), cyrillic), "Привет", "windows-1251"],
    [
      [],
      bytes("<meta http-equiv=x content='text/html; charset=windows-1251'>", cyrillic),
      "Привет",
    ],
    [[`${html};charset=utf-8`], wide, "hé", "utf-16le"],
    [[html], wide, "hé"],
    [[`${html};charset=utf-16`], widerBig, "hé"],
    [[`${html}; Charset = "UTF8"`], bytes([0xc3, 0xa9]), "é"],
    [[`${html}; charset='latin1'`], bytes([0xe9]), "é"],
    [[`${html}; charset=x-unknown`], bytes([0xc3, 0xa9]), "é", 'unknown charset "x-unknown"'],
    [[`${html}; charset=x-unknown`], bytes(meta("gbk"), gbk), "中文", "read as gbk"],
    [[html], bytes([0xc3, 0xa9]), "é"],
    [[html], bytes([0xef, 0xbb, 0xbf], "x"), "x"],
    [[html], bytes("caf", [0xe9]), "caf\uFFFD", "U+FFFD"],
    [["Content-Type: application/json; charset=iso-8859-1"], bytes('"', [0xe9], '"'), '"é"'],
    [[TEXT], bytes('say <meta charset="gbk"> ', [0xc3, 0xa9]), 'say <meta charset="gbk"> é'],
    [[html], bytes("x".repeat(1100), meta("gbk"), [0xc3, 0xa9]), "é"],
  ];
  await using server = pages(
    Object.fromEntries(readable.map(([headers, body], i) => [`/${i}`, [headers, body]])),
  );
  for (const [i, [, , text, note]] of readable.entries()) {
    const result = await get({ url: `${server.url}/${i}` });
    const body = String(result["body"]);
    assert(body.endsWith(text), `page ${i}: ${JSON.stringify(body)}`);
    assertStringIncludes(
      String(result["note"]),
      note ?? "undefined",
      `page ${i}: ${result["note"]}`,
    );
  }
});

Deno.test("W1 B76 a page cut inside a character ends before that character", async () => {
  const data = new Uint8Array(10 * MIB + 2).fill(0xe9, 1);
  data[0] = 0x61;
  await using server = pages({ "/": [["Content-Type: text/plain; charset=gbk"], data] });
  const result = await get({ url: server.url });
  assertEquals(result["truncated"], true);
  const body = String(result["body"]);
  assertEquals(body.length, 5 * MIB);
  assert(body.startsWith("a殚殚") && body.endsWith("殚"));
  assertEquals(result["note"], "cut after 10485760 bytes");
});

Deno.test("W1 B77 the timeout covers connection, headers and body, and closes the connection", async () => {
  const hangs: Record<string, (connection: Deno.TcpConn) => Promise<void>> = {
    "/before": () => Promise.resolve(),
    "/headers": (connection) => respond(connection, "200 OK", ["Content-Length: 9"], ""),
    "/drip": async (connection) => {
      await respond(connection, "200 OK", [TEXT], "");
      for (;;) {
        await send(connection, ".");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
  let closed = 0;
  await using server = new RawServer(async ({ path, connection }) => {
    const gone = closedByClient(connection).then(() => closed++);
    await Promise.all([hangs[path]?.(connection).catch(() => {}), gone]);
  });
  await Promise.all(
    Object.keys(hangs).map(async (path) => {
      const error = await failure(
        { url: server.url + path, timeout: 0.25 },
        "timed out after 0.25 s",
      );
      assertEquals(error.kind, "timeout");
    }),
  );
  await server[Symbol.asyncDispose]();
  assertEquals(closed, 3);
  // The kernel takes the connection, nobody else does.
  using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await failure(
    { url: `http://127.0.0.1:${silent.addr.port}/`, timeout: 0.1 },
    "timed out after 0.1 s",
  );
});

Deno.test("W1 B77 an interruption ends the request at once", async () => {
  const turn = new AbortController();
  await using server = new RawServer(async ({ connection }) => {
    await respond(connection, "200 OK", ["Content-Length: 9"], "abc");
    turn.abort();
    await closedByClient(connection);
  });
  const error = await assertRejects(() => get({ url: server.url }, turn.signal), DOMException);
  assertEquals(error.name, "AbortError");
});

Deno.test("W1 B77 a timeout must be a positive number, and may be longer than any timer", async () => {
  for (const timeout of [0, -1, NaN, Infinity, "2"]) {
    assertStringIncludes(refusal(webFetch, { url: "http://x/", timeout }), "timeout");
  }
  await using server = pages({ "/": [[TEXT], "ok"] });
  for (const timeout of [1e12, 1e300]) {
    assertEquals((await get({ url: server.url, timeout }))["body"], "ok");
  }
});

Deno.test("W1 B78 twenty redirects are followed, loops and more end with an error", async () => {
  await using server = new RawServer(({ path, connection }) => {
    const left = Number(path.slice(1));
    if (left === 0) return respond(connection, "200 OK", [TEXT], "there");
    const next = Number.isNaN(left) ? path : `/${left - 1}`;
    return respond(connection, "301 Moved", [`Location: ${next}`]);
  });
  assertEquals((await get({ url: `${server.url}/20` }))["body"], "there");
  await failure({ url: `${server.url}/21` }, "stopped after 20 redirects");
  await failure({ url: `${server.url}/loop` }, "in a loop or too far");
});

Deno.test("W1 B78 redirects lead to http and https alone; one without an address is an answer", async () => {
  await using server: RawServer = new RawServer(({ path, connection }) => {
    const locations = ["file:///etc/passwd", "FTP://h/", "data:text/plain,hi", "http://", ""];
    const location = path === "/case"
      ? `HTTP://${server.url.slice(7)}/ok`
      : locations[Number(path.slice(1))];
    if (path === "/ok") return respond(connection, "200 OK", [TEXT], "ok");
    return respond(connection, "302 Found", location ? [`Location: ${location}`] : []);
  });
  for (const i of [0, 1, 2]) {
    const error = await failure({ url: `${server.url}/${i}` }, "unsupported scheme");
    assertStringIncludes(error.message, `redirect from ${server.url}/${i}`);
  }
  await failure({ url: `${server.url}/3` }, "no URL");
  assertEquals((await failure({ url: `${server.url}/4` })).details?.["status"], 302);
  assertEquals((await get({ url: `${server.url}/case` }))["url"], `${server.url}/ok`);
});

Deno.test("W1 B78 credentials in an address reach the server and nobody else", async () => {
  await using server = new RawServer(({ path, head, connection }) =>
    respond(connection, path === "/" ? "200 OK" : "404 Gone", [TEXT], head)
  );
  const secret = server.url.replace("//", "//user:pw@");
  const result = await get({ url: `${secret}/` });
  assertStringIncludes(String(result["body"]), `authorization: Basic ${btoa("user:pw")}`);
  assertEquals(result["url"], `${server.url}/`);
  const own = await get({ url: `${secret}/`, headers: { AUTHORIZATION: "mine" } });
  assertMatch(String(own["body"]), /^authorization: mine\r$/m);
  const error = await failure({ url: `${secret}/x` });
  assert(!`${error.message}${error.details?.["url"]}`.includes("pw"));
  const { port } = new URL(server.url);
  await server[Symbol.asyncDispose]();
  const refused = await failure({ url: `http://user:pw@127.0.0.1:${port}/` }, "refused");
  assert(!refused.message.includes("pw"), refused.message);
  assert(!(await failure({ url: "http://user:pw@a b/" })).message.includes("pw"));
});

Deno.test("W1 B79 the cap is on decoded bytes and ends the connection", async () => {
  const bomb = await compressed(new Uint8Array(64 * MIB).fill(0x61), "gzip");
  let dropped = false;
  await using server = new RawServer(async ({ path, connection }) => {
    if (path === "/bomb") {
      return respond(connection, "200 OK", [TEXT, "Content-Encoding: gzip"], bomb);
    }
    const gone = closedByClient(connection).then(() => dropped = true);
    await respond(connection, "200 OK", [TEXT, "Transfer-Encoding: chunked"]);
    const chunk = `10000\r\n${"b".repeat(0x10000)}\r\n`;
    while (!dropped) await send(connection, chunk).catch(() => gone);
  });
  for (const path of ["/bomb", "/endless"]) {
    const result = await get({ url: server.url + path });
    assertEquals(String(result["body"]).length, 10 * MIB);
    assertEquals([result["truncated"], result["note"]], [true, "cut after 10485760 bytes"]);
  }
  await server[Symbol.asyncDispose]();
  assert(dropped);
});

Deno.test("W1 B79 content encodings are undone, damaged ones are errors", async () => {
  const text = bytes("hello ".repeat(5000));
  const zipped = await compressed(text, "gzip");
  const encoded = (name: string) => [TEXT, `Content-Encoding: ${name}`];
  const none = new Uint8Array();
  await using server = pages({
    "/gzip": [encoded("GZIP"), zipped],
    "/x-gzip": [encoded("x-gzip"), zipped],
    "/br": [encoded("br"), brotliCompressSync(text)],
    "/deflate": [encoded("deflate"), await compressed(text, "deflate")],
    "/identity": [encoded("identity"), text],
    "/empty": [[TEXT, "Content-Length: 0"], none],
    "/cut": [encoded("gzip"), zipped.subarray(0, zipped.length - 12)],
    "/plain": [encoded("gzip"), text],
    "/badflate": [encoded("deflate"), text],
    "/zstd": [encoded("zstd"), text],
    "/longer": [[TEXT, "Content-Length: 100"], "short"],
    "/shorter": [[TEXT, "Content-Length: 3"], "longer"],
  });
  for (const path of ["/gzip", "/x-gzip", "/br", "/deflate", "/identity"]) {
    assertEquals((await get({ url: server.url + path }))["body"], "hello ".repeat(5000), path);
  }
  assertEquals((await get({ url: `${server.url}/empty` }))["body"], "");
  assertEquals((await get({ url: `${server.url}/shorter` }))["body"], "lon");
  for (const path of ["/cut", "/plain", "/badflate", "/zstd", "/longer"]) {
    const error = await failure({ url: server.url + path });
    assertEquals(error.kind, "tool", path);
  }
});

Deno.test("W1 B80 only http and https addresses are fetched", async () => {
  const refused = [
    ["file:///etc/passwd", "unsupported scheme file:"],
    ["FILE:///x", "unsupported scheme file:"],
    [" file:///x", "unsupported scheme file:"],
    ["data:text/plain,hi", "unsupported scheme data:"],
    ["blob:null/1", "unsupported scheme blob:"],
    ["http+unix://%2Fx/y", "unsupported scheme http+unix:"],
    ["ftp://h/", "unsupported scheme ftp:"],
    ["javascript:1", "unsupported scheme javascript:"],
    ["localhost:80/x", "unsupported scheme localhost:"],
    ["//host/x", "is no URL"],
    ["example.com", "is no URL"],
    ["https://", "is no URL"],
    ["http://a b/", "is no URL"],
    ["", "is no URL"],
    [`http://h/${"a".repeat(MIB)}`, "characters; at most"],
  ] as const;
  for (const [url, words] of refused) {
    const error = await failure({ url }, words);
    assertEquals(error.kind, "invalid_input");
    assert(error.message.length < 400);
  }
});

Deno.test("W1 B82 what is not text stays out of the body, by its first bytes", async () => {
  const png = bytes([0x89], "PNG\r\n\x1a\n", [0, 0, 0, 13]);
  const octets = "Content-Type: application/octet-stream";
  await using server = pages({
    "/pdf": [["Content-Type: application/pdf"], "%PDF-1.7\n"],
    "/png": [["Content-Type: image/png"], png],
    "/html": [["Content-Type: text/html"], png],
    "/nul": [["Content-Type: text/html"], "a\0b"],
    "/image": [["Content-Type: image/x-other"], "text"],
    "/octets": [[octets], bytes([1, 2, 3])],
    "/typeless": [[], bytes([0, 1])],
    "/text": [[octets], "plain é\x1b[0m"],
    "/none": [[], "plain"],
    "/svg": [["Content-Type: image/svg+xml"], "<svg/>"],
    "/json": [["Content-Type: application/vnd.x+json"], "{}"],
    "/wide": [["Content-Type: text/plain; charset=utf-16le"], "a\0b\0"],
  });
  const binary: [path: string, note: string][] = [
    ["/pdf", "not text: application/pdf, 9 bytes"],
    ["/png", "not text: image/png, 12 bytes"],
    ["/html", "not text: image/png, 12 bytes"],
    ["/nul", "not text: application/octet-stream, 3 bytes"],
    ["/image", "not text: image/x-other, 4 bytes"],
    ["/octets", "not text: application/octet-stream, 3 bytes"],
    ["/typeless", "not text: application/octet-stream, 2 bytes"],
  ];
  for (const [path, note] of binary) {
    const { body, note: actual } = await get({ url: server.url + path });
    assertEquals([path, body, actual], [path, "", note]);
  }
  const texts = { text: "plain é\x1b[0m", none: "plain", svg: "<svg/>", json: "{}", wide: "ab" };
  for (const [path, text] of Object.entries(texts)) {
    const { body, note } = await get({ url: `${server.url}/${path}` });
    assertEquals([path, body, note], [path, text, undefined]);
  }
});

Deno.test("W1 B82 a status that is not 2xx is an error with the fields, 204 and 206 are none", async () => {
  await using server = new RawServer(({ path, connection }) => {
    const status = path.slice(1);
    const type = status === "404" ? "application/json" : "text/html";
    const body = status === "500" ? "é".repeat(100_000) : `{"s":${status}}`;
    return respond(
      connection,
      `${status} X`,
      [`Content-Type: ${type}`],
      status === "204" ? "" : body,
    );
  });
  assertEquals((await get({ url: `${server.url}/204` }))["body"], "");
  assertEquals((await get({ url: `${server.url}/206` }))["status"], 206);
  for (const status of [304, 401, 404]) {
    const error = await failure(
      { url: `${server.url}/${status}` },
      `answered with status ${status}`,
    );
    assertEquals(error.kind, "tool");
    const { url, status: actual, content_type, body } = error.details ?? {};
    assertEquals([url, actual], [`${server.url}/${status}`, status]);
    assertEquals(content_type, status === 404 ? "application/json" : "text/html");
    assertEquals(body, status === 304 ? "" : `{"s":${status}}`);
  }
  const long = (await failure({ url: `${server.url}/500` })).details ?? {};
  assertEquals([String(long["body"]).length, long["truncated"]], [16384, true]);
});

Deno.test("W1 B82 the caller's headers replace the defaults, one value each", async () => {
  await using server = new RawServer(({ connection, head }) =>
    respond(connection, "200 OK", [TEXT], head)
  );
  const headers = { "user-agent": "me", "User-Agent": "you", "ACCEPT": "x/y", "X-L": "é" };
  const { body } = await get({ url: server.url, headers });
  const lines = String(body).split("\r\n");
  assertEquals(lines.filter((line) => /^(?:user-agent|accept):/i.test(line)).sort(), [
    "accept: x/y",
    "user-agent: you",
  ]);
});

Deno.test("W1 B82 headers that HTTP or the connection forbid are argument errors", async () => {
  const refused: [name: string, value: string, words: string][] = [
    ["X", "a\nb", "characters that HTTP forbids"],
    ["X", "日本", "characters that HTTP forbids"],
    ["a b", "x", "characters that HTTP forbids"],
    ["", "x", "characters that HTTP forbids"],
    ["Host", "h", "is set by the connection"],
    ["content-length", "5", "is set by the connection"],
    ["CONNECTION", "close", "is set by the connection"],
  ];
  for (const [name, value, words] of refused) {
    const error = await failure({ url: "http://127.0.0.1:1/", headers: { [name]: value } }, words);
    assertEquals(error.kind, "invalid_input");
  }
  assertStringIncludes(refusal(webFetch, { url: "http://x/", headers: { a: 1 } }), "headers.a");
});

/** Fetches `url` in a process of its own, which reads its proxies at its first request. */
async function getInChild(
  own: Record<string, string>,
  url: string,
  adopted: Record<string, string> = {},
): Promise<string> {
  const module = JSON.stringify(import.meta.resolve("../../lib/environment/proxy.ts"));
  const code = `
    const { adoptProxyVariables } = await import(${module});
    adoptProxyVariables(${JSON.stringify(adopted)});
    const response = await fetch(${JSON.stringify(url)}).catch((error) => new Response(error));
    console.log(await response.text());`;
  const inherited = Object.entries(Deno.env.toObject()).filter(([name]) => !/proxy$/i.test(name));
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-lock", code],
    clearEnv: true,
    env: { ...Object.fromEntries(inherited), ...own },
  }).output();
  return new TextDecoder().decode(stdout).trim();
}

Deno.test("W1 HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured, adopted ones too", async () => {
  const answer = ({ head, connection }: RawRequest) =>
    respond(connection, "200 OK", [TEXT], `proxy got ${head.split(" HTTP")[0]}`);
  await using proxy = new RawServer(answer);
  const page = "http://bub.invalid/x";
  const [http, https, none, adopted, own] = await Promise.all([
    getInChild({ HTTP_PROXY: proxy.url }, page),
    getInChild({ HTTPS_PROXY: proxy.url }, "https://bub.invalid/x"),
    getInChild({ HTTP_PROXY: proxy.url, NO_PROXY: "bub.invalid" }, page),
    getInChild({}, page, { http_proxy: proxy.url }),
    getInChild({ http_proxy: proxy.url }, page, { http_proxy: "http://127.0.0.1:9/" }),
  ]);
  assertEquals(http, `proxy got GET ${page}`);
  assert(proxy.requests.some(({ head }) => head.startsWith("CONNECT bub.invalid:443")), https);
  assertStringIncludes(none, "fetch failed");
  assertEquals(adopted, `proxy got GET ${page}`);
  assertEquals(own, `proxy got GET ${page}`);
});
