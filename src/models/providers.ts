/** Which package of the AI SDK speaks to a provider, how it is made, and where its key is looked for. */
export interface ProviderEntry {
  readonly package: string;
  /** Exported function that makes the provider. */
  readonly factory: string;
  /** Environment variable that the package reads; left out where signing in works otherwise. */
  readonly keyVariable?: string;
}

/** From each package's own documentation (AI SDK, "Providers"). */
export const providers: Readonly<Record<string, ProviderEntry>> = {
  anthropic: entry("anthropic", "createAnthropic", "ANTHROPIC_API_KEY"),
  openai: entry("openai", "createOpenAI", "OPENAI_API_KEY"),
  "openai-compatible": entry("openai-compatible", "createOpenAICompatible"),
  "amazon-bedrock": entry("amazon-bedrock", "createAmazonBedrock"),
  azure: entry("azure", "createAzure", "AZURE_API_KEY"),
  cerebras: entry("cerebras", "createCerebras", "CEREBRAS_API_KEY"),
  cohere: entry("cohere", "createCohere", "COHERE_API_KEY"),
  deepinfra: entry("deepinfra", "createDeepInfra", "DEEPINFRA_API_KEY"),
  deepseek: entry("deepseek", "createDeepSeek", "DEEPSEEK_API_KEY"),
  fireworks: entry("fireworks", "createFireworks", "FIREWORKS_API_KEY"),
  google: entry("google", "createGoogleGenerativeAI", "GOOGLE_GENERATIVE_AI_API_KEY"),
  "google-vertex": entry("google-vertex", "createVertex"),
  groq: entry("groq", "createGroq", "GROQ_API_KEY"),
  mistral: entry("mistral", "createMistral", "MISTRAL_API_KEY"),
  perplexity: entry("perplexity", "createPerplexity", "PERPLEXITY_API_KEY"),
  togetherai: entry("togetherai", "createTogetherAI", "TOGETHER_API_KEY"),
  voyage: entry("voyage", "createVoyage", "VOYAGE_API_KEY"),
  xai: entry("xai", "createXai", "XAI_API_KEY"),
};

function entry(name: string, factory: string, keyVariable?: string): ProviderEntry {
  return { package: `@ai-sdk/${name}`, factory, ...(keyVariable && { keyVariable }) };
}
