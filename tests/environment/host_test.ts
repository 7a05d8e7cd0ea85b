import { testEnvironment } from "../contract/environment.ts";
import { temporaryHost } from "./temporary_host.ts";

testEnvironment("HostEnvironment", temporaryHost);
