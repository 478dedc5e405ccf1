import { ResizeFit, Transformer } from '@napi-rs/image'
import type { RenderJob } from '../core/adapters/renderer.ts'
import type { Picture } from './views.ts'

const quality = 80

/** A picture as upright JPEG within a square, never enlarged; what can be seen through is white. */
export async function drawPicture(job: RenderJob): Promise<Uint8Array> {
  const { bytes, side, isOpaque } = job.data as unknown as Picture
  const upright = new Transformer(bytes).rotate()
  const { width, height } = await new Transformer(bytes).metadata()
  const fits = Math.max(width, height) <= side
  const smaller = fits ? upright : upright.fastResize({ width: side, height: side, fit: ResizeFit.Inside })
  if (isOpaque) return smaller.jpeg(quality)
  const drawn = await smaller.png()
  const size = await new Transformer(drawn).metadata()
  const paper = Buffer.alloc(size.width * size.height * 4, 0xff)
  return Transformer.fromRgbaPixels(paper, size.width, size.height).overlay(drawn, 0, 0).jpeg(quality)
}
