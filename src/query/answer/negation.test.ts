import { expect, test } from "vitest";
import { isNegated } from "./negation.ts";

test.each([
  ["The tenant may not sublet.", "en"],
  ["He can’t sublet.", "en"],
  ["Penyewa tidak boleh menyewakan.", "id"],
  ["Người thuê không được cho thuê lại.", "vi"],
  ["Der Mieter darf nicht untervermieten.", "de"],
  ["Le locataire ne peut pas sous-louer.", "fr"],
  ["El inquilino no puede subarrendar.", "es"],
  ["承租人不得转租。", "zh"],
  ["転貸することはできません。", "ja"],
  ["ผู้เช่าไม่สามารถให้เช่าช่วง", "th"],
  ["لا يجوز للمستأجر التأجير.", "ar"],
  ["Der Mieter darf nicht untervermieten.", undefined],
])("%s denies", (text, language) => {
  expect(isNegated(text, language)).toBe(true);
});

test.each([
  ["The tenant may sublet.", "en"],
  ["Not only the tenant, no later than June, see No. 5.", "en"],
  ["A non-profit sin of omission.", "en"],
  ["Tidak hanya penyewa.", "id"],
  ["Hàng không và không khí.", "vi"],
  ["Nicht nur der Mieter.", "de"],
  ["这非常重要，未来不断增长，不仅如此。", "zh"],
  ["借主は支払わなければならない。", "ja"],
])("%s does not", (text, language) => {
  expect(isNegated(text, language)).toBe(false);
});
