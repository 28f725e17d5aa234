import type { CustomStore } from '@quayside/sdk'
import { Fact, FactList } from '../../ui/fact-list.tsx'
import { plural } from '../../ui/format/bytes.ts'
import { RelativeTime } from '../../ui/format/relative-time.tsx'

/** Where a bucket is and what it contains. */
export function StoreFacts({ store }: { store: CustomStore }) {
  return (
    <FactList>
      <Fact name="Bucket">{store.bucket}</Fact>
      <Fact name="Prefix">{store.prefix}</Fact>
      <Fact name="Endpoint">{store.endpoint ?? 'AWS'}</Fact>
      <Fact name="Region">{store.region}</Fact>
      <Fact name="Files">
        {plural(store.object_count, 'file')} · {store.total_string}
      </Fact>
      <Fact name="Tested">
        <RelativeTime time={store.tested_at} />
      </Fact>
    </FactList>
  )
}
