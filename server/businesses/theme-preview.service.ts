import { weakProblems } from '../../contract/dress.ts'
import type { Input } from '../../contract/core/op.ts'
import type { themesApi } from '../../contract/themes.ts'
import { findBusiness } from '../core/business.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { samplePaper } from '../documents/paper-sample.service.ts'
import { previewedDocument, sampleMail } from '../messages/sample-mail.service.ts'
import { draftOf, themes as kept } from '../themes/themes.service.ts'
import { dressedBusiness } from './businesses.service.ts'

/** What is dressed in a theme, before anything is: a mail, a paper, and the business as a page shows it. */
async function preview(ctx: Ctx, input: Input<(typeof themesApi)['preview']>) {
  const { businessGuid, version } = await draftOf(ctx, input)
  const business = await findBusiness(ctx.db, businessGuid)
  if (!business) throw new Error('a theme has a business')
  const { language, recordGuid, withPaper } = input
  const document = recordGuid ? await previewedDocument(ctx, businessGuid, recordGuid) : null
  const mail = await sampleMail(ctx, { business, version, language, recordGuid })
  const paper = withPaper ? await samplePaper(ctx, { business, version, language, document }) : null
  return {
    ...mail,
    problems: weakProblems(version),
    business: await dressedBusiness(ctx.deps.files, business, version),
    paper: paper && Buffer.from(paper).toString('base64'),
  }
}

export const themes: Handlers<typeof themesApi> = { ...kept, preview }
