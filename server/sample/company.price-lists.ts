interface SampleList {
  name: string
  /** By the codes of products: from how many, and what one costs then. */
  items: readonly [sku: string, from: string, priceCents: number][]
  /** Who has it, by name. */
  customers: readonly string[]
}

/** Prices that were agreed with some customers. */
export const priceLists: readonly SampleList[] = [
  {
    name: 'Builders',
    items: [
      ['HOA-A', '1', 14_200],
      ['HOA-A', '40', 12_600],
      ['HOA-GATE', '1', 64_000],
      ['HOA-DOOR', '1', 29_800],
      ['FEN-INST', '1', 890],
      ['FEN-HIRE', '1', 390],
      ['LAB-STD', '1', 8000],
    ],
    customers: ['Ashgrove Building Co', 'Jacaranda Homes'],
  },
  {
    name: 'Schools and festivals',
    items: [
      ['MAR-66', '1', 70_000],
      ['MAR-126', '1', 124_000],
      ['TAB-SET', '1', 4900],
      ['TAB-SET', '20', 4500],
      ['LIG-FES', '1', 600],
      ['CRO-HIRE', '1', 850],
    ],
    customers: ['Opal Street School', 'Gumtree Festival'],
  },
]
