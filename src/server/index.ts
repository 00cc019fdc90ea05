export { createHandler, type Handler, type HandlerOptions } from "./handler.ts";
export { type RunningServer, type ServerOptions, startServer } from "./start.ts";
