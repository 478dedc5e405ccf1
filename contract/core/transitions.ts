/** Which deeds lead from which statuses to which; one without `to` leaves the status as it is. */
export type Transitions<S extends string> = Readonly<Record<string, { from: readonly S[]; to?: S }>>

/** Whether a deed is possible in a status: what the server refuses by, and the web offers by. */
export const leadsFrom = <T extends Transitions<string>>(table: T, deed: keyof T, status: string): boolean =>
  table[deed]?.from.includes(status) ?? false
