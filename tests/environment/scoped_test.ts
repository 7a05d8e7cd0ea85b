import { testEnvironment } from "../contract/environment.ts";
import { temporaryScope } from "./temporary_scope.ts";

testEnvironment(
  "ScopedEnvironment",
  () =>
    temporaryScope((_folder, root) => ({
      allow: { read: [root], write: [root], net: ["127.0.0.1"], run: ["bash"] },
      deny: {},
    })),
  { devices: false },
);

testEnvironment(
  "ScopedEnvironment without allow rules",
  () => temporaryScope({ allow: {}, deny: { env: true } }),
  { devices: false },
);
