import { describeDriver } from './driver.suite.ts'
import { openLocalDriver } from './local-driver.fixture.ts'

describeDriver('the local driver', (t) => openLocalDriver(t))
