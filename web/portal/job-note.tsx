/** What the business says of this kind of job, above the document. */
export function JobNote({ jobType }: { jobType: { heading: string; text: string } | null }) {
  if (!jobType) return null
  return (
    <section className="service-job">
      {jobType.heading ? <h2>{jobType.heading}</h2> : null}
      {jobType.text ? <p className="pre-line no-margin">{jobType.text}</p> : null}
    </section>
  )
}
