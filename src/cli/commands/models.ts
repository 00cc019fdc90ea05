import type { Command } from "../command.ts";

/** Commands about models on this machine. */
export const MODELS_COMMANDS: readonly Command[] = [
  {
    name: "models list",
    args: "",
    about: "list embedding models and rerankers that can run on this machine, and those that are here",
    settings: [],
    examples: ["konteks models list", "konteks models list --json"],
    load: () => import("./models/list.ts"),
  },
  {
    name: "models pull",
    args: "<model>",
    about: "bring an embedding model or a reranker to this machine",
    more: `<model> is a name of \`konteks models list\`, a repository of the model hub (owner/name), a folder, or an archive (.zip, .tar, .tar.gz).
Files are checked against the hashes that the hub states; a pull that was interrupted goes on where it stopped.
HF_ENDPOINT names a mirror, HF_TOKEN an account, HTTPS_PROXY a proxy, KONTEKS_MODELS the folder for models.`,
    settings: [],
    examples: ["konteks models pull multilingual-e5-small", "konteks models pull ./all-MiniLM-L6-v2.zip"],
    load: () => import("./models/pull.ts"),
  },
  {
    name: "models remove",
    args: "<model>",
    about: "remove a model from this machine",
    settings: [],
    examples: ["konteks models remove all-MiniLM-L6-v2"],
    load: () => import("./models/remove.ts"),
  },
  {
    name: "models path",
    args: "[model]",
    about: "print the folder of a model, or of all models",
    settings: [],
    examples: ["konteks models path", "konteks models path multilingual-e5-small"],
    load: () => import("./models/path.ts"),
  },
  {
    name: "models test",
    args: "<model>",
    about: "check a model's files, load it, and let it work",
    settings: [],
    examples: ["konteks models test multilingual-e5-small"],
    load: () => import("./models/test.ts"),
  },
];
