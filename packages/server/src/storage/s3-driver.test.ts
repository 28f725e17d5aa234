import { after } from 'node:test'
import { missingS3Server, sharedS3Server } from '../../test/s3-server.ts'
import { describeDriver } from './driver.suite.ts'
import { openS3Driver } from './s3-driver.fixture.ts'

if (missingS3Server === false) after(async () => (await sharedS3Server()).release())

describeDriver('S3 driver', (t) => openS3Driver(t), {
  skip: missingS3Server,
  responses: { latePart: 404, lateWhole: 200, missingObject: 404 },
})
