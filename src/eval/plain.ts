/** For `JSON.stringify`: model objects hold functions, and sometimes keys, so they become their names. */
export function plain(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("provider" in value && "modelId" in value) return `${value.provider}:${value.modelId}`;
  if ("embedDocuments" in value && "id" in value) return value.id;
  return value;
}
