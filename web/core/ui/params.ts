import { useNavigate, useParams } from '@tanstack/react-router'

/** The record this page is about: `$guid` of its path. */
export const useGuid = (): string => (useParams({ strict: false }) as { guid?: string }).guid ?? ''

/** Goes to a page; `to` may carry a query. */
export function useGo(): (to: string, options?: { isReplacing?: boolean }) => Promise<void> {
  const navigate = useNavigate()
  return (to, options) => {
    const [path = '', query = ''] = to.split('?')
    return navigate({
      to: path,
      search: Object.fromEntries(new URLSearchParams(query)),
      replace: options?.isReplacing ?? false,
    })
  }
}
