/** The address of a port where nobody listens. */
export function deadAddress(): string {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return `http://127.0.0.1:${listener.addr.port}/`;
}

/** A registry that speaks JSR and has one package, whose `parse` shows where it came from. */
export function jsrServer(): { url: string } & AsyncDisposable {
  const source = "export function parse(text: string): string {\n  return `from jsr ${text}`;\n}\n";
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    switch (new URL(request.url).pathname) {
      case "/@std/jsonc/meta.json":
        return Response.json({ scope: "std", name: "jsonc", versions: { "1.0.0": {} } });
      case "/@std/jsonc/1.0.0_meta.json":
        return Response.json({
          exports: { ".": "./mod.ts" },
          manifest: { "/mod.ts": { size: source.length, checksum: await checksum(source) } },
        });
      case "/@std/jsonc/1.0.0/mod.ts":
        return new Response(source, { headers: { "content-type": "text/typescript" } });
      default:
        return new Response(null, { status: 404 });
    }
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function checksum(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${new Uint8Array(digest).toHex()}`;
}
