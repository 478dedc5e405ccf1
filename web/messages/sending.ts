import { greeting } from '../core/api/live.ts'
import { toast } from '../core/ui/toast.tsx'

/** Says that an email is on its way or, while sending is on hold, that it waits. */
export function sayOnItsWay(sent: string, waits: string) {
  if (greeting.get().isHeld) toast.warning(waits)
  else toast.success(sent)
}
