export { defineConfig, type IngestDefaults, type KonteksConfig, type SearchDefaults } from "./define.ts";
export { type SettingInForce, settingsInForce } from "./describe.ts";
export { type Environment, processEnvironment, wantsColors } from "./environment.ts";
export {
  type LoadConfigOptions,
  loadConfig,
  type Origin,
  type ResolvedConfig,
  type SetValue,
} from "./load.ts";
