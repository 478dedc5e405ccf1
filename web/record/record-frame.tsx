import type { ReactNode } from 'react'
import { pathTo, type NounWith } from '../../contract/nouns.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { DetailsPart, RecordFiles } from '../files/record-files.tsx'
import { TagList, type TagOps } from './tag-list.tsx'
import { OwnBusiness } from './own-business.tsx'
import { useRecordActions, type RecordActionsProps } from './record-actions.tsx'

export interface RecordFrameProps<K extends string> extends RecordActionsProps<K> {
  noun: NounWith<'pages'>
  title: string
  subtitle?: ReactNode
  badge?: ReactNode
  /** Words of people's own, below the title. */
  tags?: { of: readonly string[]; ops: TagOps }
  /** What the list of all is called. */
  listLabel: string
  /** Before the actions: the file. */
  lead?: ReactNode
  above?: ReactNode
  children: ReactNode
  timeline?: ReactNode
  rail?: ReactNode
  /** The page has parts of its own, its files in one of them. */
  isInParts?: boolean
}

/**
 * The page of a record: what it is called, what can be done with it, the record, what
 * happened, and what stands beside it.
 */
export const RecordFrame = <K extends string>(props: RecordFrameProps<K>) => (
  <OwnBusiness noun={props.noun} of={props.record}>
    <Frame {...props} />
  </OwnBusiness>
)

function Frame<K extends string>({
  noun,
  title,
  subtitle,
  badge,
  tags,
  listLabel,
  lead,
  above,
  children,
  timeline,
  rail,
  isInParts = false,
  ...acting
}: RecordFrameProps<K>) {
  const { head, dialogs } = useRecordActions(acting)
  return (
    <>
      <PageHeader
        title={title}
        subtitle={subtitle}
        badge={badge}
        {...(tags ? { below: <TagList guid={acting.record.guid} tags={tags.of} ops={tags.ops} /> } : {})}
        crumbs={[{ to: pathTo(noun), label: listLabel }]}
        actions={
          <>
            {lead}
            {head}
          </>
        }
      />
      {isInParts ? (
        children
      ) : (
        <RecordFiles noun={noun} guid={acting.record.guid}>
          {(card) => (
            <>
              {above ? <DetailsPart>{above}</DetailsPart> : null}
              <div className={rail ? 'with-rail' : ''}>
                <div className="stack" style={wideGap}>
                  <DetailsPart>{children}</DetailsPart>
                  {card}
                  {timeline ? (
                    <DetailsPart>
                      <div className="no-print">{timeline}</div>
                    </DetailsPart>
                  ) : null}
                </div>
                {rail ? (
                  <DetailsPart>
                    <div className="no-print">{rail}</div>
                  </DetailsPart>
                ) : null}
              </div>
            </>
          )}
        </RecordFiles>
      )}
      {dialogs}
    </>
  )
}

const wideGap = { '--gap': '1.5rem' } as React.CSSProperties
