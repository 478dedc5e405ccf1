import { cronOps } from './jobs.ts'

const feeds = cronOps({
  path: '/Cron/SocialMedia/Instagram/ReloadAllFeeds',
  can: ['manage', 'Cron:Instagram:Feeds'],
  message: 'Instagram feeds processed.',
  summary: 'Reads the feeds of connected Instagram accounts anew; none can be connected yet',
})
const images = cronOps({
  path: '/Cron/Process/Products/Instagram/Images',
  can: ['manage', 'Cron:Instagram:Images'],
  message: 'Instagram images processed.',
  summary: 'Fetches the pictures of products from connected Instagram accounts; none can be connected yet',
})

export const instagramApi = {
  reloadFeeds: feeds.run,
  previewFeeds: feeds.preview,
  feedRuns: feeds.runs,
  fetchImages: images.run,
  previewImages: images.preview,
  imageRuns: images.runs,
}
