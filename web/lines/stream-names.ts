import { revenueStreamsApi } from '../../contract/revenue-streams.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'

const query = { size: 100, sort: 'name' }

/** The streams that lines may be counted in; none for those who may not see them. */
export function useStreams(isWanted = true) {
  const may = useCan(revenueStreamsApi.list)
  return useRead(revenueStreamsApi.list, query, { enabled: isWanted && may }).data?.items ?? []
}

/** What a line's stream is called. Customers are told of none, so nothing is asked for on their pages. */
export function useStreamNames(isWanted: boolean): (guid: string | null | undefined) => string | null {
  const streams = useStreams(isWanted)
  return (guid) => (guid ? (streams.find((stream) => stream.guid === guid)?.name ?? null) : null)
}
