import { sql } from 'kysely'
import { conflict, invalid } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { maxImages, type productsApi, type Product } from '../../contract/products.ts'
import type { Ctx } from '../core/ctx.ts'
import { usablePictures } from '../files/files.service.ts'

type Image = Input<(typeof productsApi)['addImages']>['images'][number]

/** The pictures of a product `p`, the first one first. */
export const imagesJson = sql<Product['images']>`(select coalesce(json_agg(json_build_object('fileGuid', m.file_guid,
  'alt', m.alt, 'name', f.name, 'hasThumb', f.thumb_sha256 is not null) order by m.position), '[]'::json)
  from product_images m join files f on f.guid = m.file_guid where m.product_guid = p.guid)`

/** The first of them that can be shown small. */
export const pictureJson = sql<{ fileGuid: string; alt: string | null } | null>`(select json_build_object(
  'fileGuid', m.file_guid, 'alt', m.alt) from product_images m join files f on f.guid = m.file_guid
  where m.product_guid = p.guid and f.thumb_sha256 is not null order by m.position limit 1)`

const imagesOf = (ctx: Ctx, productGuid: string) =>
  ctx.db
    .selectFrom('productImages')
    .select(['fileGuid', 'alt'])
    .where('productGuid', '=', productGuid)
    .orderBy('position')
    .execute()

/** A product whose row is held has these pictures, in this order. Those it had before may stay whoever sent them. */
export async function setImages(ctx: Ctx, productGuid: string, images: readonly Image[]): Promise<void> {
  const guids = images.map(({ fileGuid }) => fileGuid)
  const twice = guids.findIndex((guid, i) => guids.indexOf(guid) < i)
  if (twice >= 0) throw invalid(`images.${twice}.fileGuid`, 'This picture is already here.')
  const there = new Set((await imagesOf(ctx, productGuid)).map(({ fileGuid }) => fileGuid))
  const added = guids.filter((guid) => !there.has(guid))
  const usable = await usablePictures(ctx, added)
  for (const [i, guid] of guids.entries())
    if (!there.has(guid) && !usable.has(guid)) throw invalid(`images.${i}.fileGuid`, 'Choose a picture.')
  await ctx.db.deleteFrom('productImages').where('productGuid', '=', productGuid).execute()
  if (images.length > 0)
    await ctx.db
      .insertInto('productImages')
      .values(images.map(({ fileGuid, alt }, i) => ({ productGuid, fileGuid, alt: alt || null, position: i + 1 })))
      .execute()
}

/** Adds pictures behind those that are there; one that is there already stays where it is. */
export async function addImages(ctx: Ctx, productGuid: string, images: readonly Image[]): Promise<void> {
  const there = await imagesOf(ctx, productGuid)
  const known = new Set(there.map(({ fileGuid }) => fileGuid))
  const added = images.filter(({ fileGuid }) => !known.has(fileGuid))
  if (there.length + added.length > maxImages) throw conflict('A product can have up to 20 pictures.')
  if (added.length > 0) await setImages(ctx, productGuid, [...there, ...added])
}
