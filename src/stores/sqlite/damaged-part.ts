/** Something in the file that konteks cannot have written so; `storeError` adds which file, and what to do. */
export class DamagedPart extends Error {
  override readonly name = "DamagedPart";
}
