// Nothing: what `deno run` itself costs.
