import type { OvertimeDay } from "./overtime.ts";

export interface PayrollLine {
  readonly employeeId: string;
  readonly month: string;
  readonly regularHours: number;
  readonly paidOvertimeHours: number;
}

/** Adds up a month. Hours are rounded once, at the very end, to two digits; rounding each day would cost up to two hours a year. */
export function toPayrollLine(employeeId: string, month: string, days: readonly OvertimeDay[]): PayrollLine {
  const inMonth = days.filter((day) => day.date.startsWith(month));
  const regular = inMonth.reduce((sum, day) => sum + day.regularMinutes, 0);
  const paid = inMonth.reduce((sum, day) => sum + day.overtimeMinutes * day.factor, 0);
  return { employeeId, month, regularHours: hours(regular), paidOvertimeHours: hours(paid) };
}

function hours(minutes: number): number {
  return Math.round((minutes / 60) * 100) / 100;
}
