import { runWhenThere } from '../core/layout/page-actions.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import type { IconName } from '../core/ui/icons.ts'
import { useGo } from '../core/ui/params.ts'

export interface NextAction {
  /** As it is called in the head of the record's page, which does it. */
  label: string
  icon: IconName
}

/** What is sensibly done next with a record, from a glance at it: its page opens and does it. */
export function NextActionButton({ next, page }: { next: NextAction | null; page: string }) {
  const go = useGo()
  if (!next) return null
  const start = async () => {
    await go(page)
    runWhenThere(next.label)
  }
  return (
    <ActionButton size="sm" icon={next.icon} onClick={() => void start()}>
      {next.label}
    </ActionButton>
  )
}
