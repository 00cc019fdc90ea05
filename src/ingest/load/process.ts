// Runs in a process of its own: reads what it is sent, and answers with the document or with what is wrong with it.
import { answerTasks } from "../../util/answer-tasks.ts";
import { parseBytes } from "./parse.ts";
import { type Task, toSend } from "./processes.ts";
import type { Parsed } from "./types.ts";

answerTasks<Task, Parsed>(({ bytes, file, options }) => parseBytes(bytes, file, options), toSend);
