export { startSimulatedProvider } from "./server.ts";
export type {
  Fault,
  LedgerEntry,
  Script,
  ScriptedReply,
  SimulatedApi,
  SimulatedCall,
  SimulatedOutcome,
  SimulatedProvider,
  SimulatedProviderOptions,
  TokenPiece,
} from "./types.ts";
