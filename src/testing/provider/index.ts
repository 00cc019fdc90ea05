export { startSimulatedProvider } from "./server.ts";
export type {
  Fault,
  LedgerEntry,
  Script,
  ScriptedReply,
  SimulatedApi,
  SimulatedCall,
  SimulatedProvider,
  SimulatedProviderOptions,
} from "./types.ts";
