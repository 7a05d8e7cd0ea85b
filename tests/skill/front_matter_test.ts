import { splitFrontMatter } from "../../lib/skill/front_matter.ts";
import { assertEquals } from "../assert.ts";

Deno.test("S1 B65 splitFrontMatter() takes every way an editor may have saved the file", () => {
  const forms = {
    plain: "---\nname: a\n---\nBody\n",
    "CRLF": "---\r\nname: a\r\n---\r\nBody\r\n",
    "byte-order mark": "\uFEFF---\nname: a\n---\nBody\n",
    "blanks behind the marks": "---  \nname: a\n--- \t\nBody\n",
    "no newline at the end": "---\nname: a\n---\nBody",
    "YAML's other end mark": "---\nname: a\n...\nBody\n",
  };
  for (const [form, text] of Object.entries(forms)) {
    const parts = splitFrontMatter(text);
    assertEquals(
      typeof parts === "string" ? parts : [parts.header.trim(), parts.body.trim()],
      ["name: a", "Body"],
      form,
    );
  }
  assertEquals(splitFrontMatter("---\nname: a\n---"), { header: "name: a\n", body: "" });
  assertEquals(splitFrontMatter("---\n---\n"), { header: "", body: "" });
});

Deno.test("S1 B66 splitFrontMatter() keeps rules in the body", () => {
  const body = "\nOne\n\n---\n\nTwo\n---\nname: b\n---\n";
  assertEquals(splitFrontMatter(`---\nname: a\n---\n${body}`), { header: "name: a\n", body });
});

Deno.test("S1 B65 splitFrontMatter() says why there is no front matter", () => {
  for (const empty of ["", "\uFEFF", " \n\n"]) {
    assertEquals(splitFrontMatter(empty), "it is empty");
  }
  const none = "it has no front matter: its first line must be ---";
  for (const text of ["# Title\n---\nname: a\n---\n", "----\nname: a\n----\n", "--- name: a\n"]) {
    assertEquals(splitFrontMatter(text), none, text);
  }
  const open = "its front matter has no end: a line --- must close it";
  for (const text of ["---", "---\nname: a\n", "---\nname: a\n ---\n", "---\nname: a ---\n"]) {
    assertEquals(splitFrontMatter(text), open, text);
  }
});
