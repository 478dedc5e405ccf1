import { instagramApi } from '../../contract/instagram.ts'
import type { Handlers } from '../core/ctx.ts'
import { definePlanned } from '../core/jobs/planned.ts'

/** No account can be connected yet, so there is nothing to read: both jobs find nothing, and say so. */
const idle = {
  plan: async () => ({ items: [], isPartial: false }),
  act: async () => false,
}
export const feedsJob = definePlanned<null>({
  name: 'instagram-feeds',
  call: instagramApi.reloadFeeds,
  cron: '12 * * * *',
  ...idle,
})
export const imagesJob = definePlanned<null>({
  name: 'instagram-images',
  call: instagramApi.fetchImages,
  cron: '22 * * * *',
  ...idle,
})

export const instagram: Handlers<typeof instagramApi> = {
  reloadFeeds: (ctx) => feedsJob.run(ctx.deps, ctx),
  previewFeeds: (ctx) => feedsJob.preview(ctx),
  feedRuns: (ctx, input) => feedsJob.runs(ctx, input),
  fetchImages: (ctx) => imagesJob.run(ctx.deps, ctx),
  previewImages: (ctx) => imagesJob.preview(ctx),
  imageRuns: (ctx, input) => imagesJob.runs(ctx, input),
}
