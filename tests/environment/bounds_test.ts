import { assertEquals } from "../assert.ts";
import { resolveBounds } from "../../lib/environment/bounds.ts";

const NOTHING = { allow: [], deny: [] };
const EVERYTHING = { allow: true, deny: [] };

Deno.test("E3 resolveBounds() denies what no rule allows once there is any allow rule", () => {
  const bounds = resolveBounds({ allow: { net: ["a.test"] }, deny: { net: true } }, "/");
  assertEquals<unknown>(bounds, {
    read: NOTHING,
    write: NOTHING,
    net: { allow: ["a.test"], deny: true },
    run: NOTHING,
    env: NOTHING,
  });
});

Deno.test("E3 resolveBounds() leaves all else allowed where there are deny rules alone", () => {
  const bounds = resolveBounds({ allow: {}, deny: { env: ["A"] } }, "/");
  assertEquals<unknown>(bounds, {
    read: EVERYTHING,
    write: EVERYTHING,
    net: EVERYTHING,
    run: EVERYTHING,
    env: { allow: true, deny: ["A"] },
  });
});

Deno.test("E3 resolveBounds() makes paths absolute, and knows the real ones of what there is", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "bub_bounds_" }));
  await Deno.mkdir(`${root}/store`);
  await Deno.symlink("store", `${root}/link`);
  const scope = { allow: { read: ["link", "link/new/x", `${root}/a/../store`] }, deny: {} };
  const rule = (written: string, path: string, real: string) => ({ written, path, real });
  assertEquals<unknown>(resolveBounds(scope, root).read.allow, [
    rule("link", `${root}/link`, `${root}/store`),
    rule("link/new/x", `${root}/link/new/x`, `${root}/store/new/x`),
    rule(`${root}/a/../store`, `${root}/store`, `${root}/store`),
  ]);
  const programs = { allow: { run: ["bash", "./tool", "/bin/x"] }, deny: {} };
  assertEquals(resolveBounds(programs, root).run.allow, ["bash", `${root}/tool`, "/bin/x"]);
  await Deno.remove(root, { recursive: true });
});
