import type { ShownSubstatus } from '../../contract/substatuses.ts'
import './substatus.css'

/** A word of the business's own, in its colour; the text passes AA in both themes, as all chips. */
export const SubstatusChip = ({ substatus }: { substatus: Pick<ShownSubstatus, 'label' | 'colour'> }) => (
  <bdi className="chip substatus" data-colour={substatus.colour}>
    {substatus.label}
  </bdi>
)
