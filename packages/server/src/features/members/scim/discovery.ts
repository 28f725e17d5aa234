import { groupSchema, userSchema, type Resource } from './resources.ts'

export const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

export const maxResults = 200

type AttributeOptions = { required?: true; uniqueness?: 'server'; mutability?: 'readOnly'; caseExact?: true }

const attribute = (
  name: string,
  type: 'string' | 'boolean' | 'reference',
  description: string,
  { required, uniqueness, mutability, caseExact }: AttributeOptions = {},
): Resource => ({
  name,
  type,
  multiValued: false,
  description,
  required: required ?? false,
  caseExact: caseExact ?? false,
  mutability: mutability ?? 'readWrite',
  returned: 'default',
  uniqueness: uniqueness ?? 'none',
  ...(type === 'reference' ? { referenceTypes: ['User'] } : {}),
})

const complex = (
  name: string,
  description: string,
  multiValued: boolean,
  subAttributes: readonly Resource[],
): Resource => ({
  name,
  type: 'complex',
  multiValued,
  description,
  required: false,
  mutability: 'readWrite',
  returned: 'default',
  subAttributes,
})

const schemas: readonly (Resource & { id: string })[] = [
  {
    id: userSchema,
    name: 'User',
    description: 'A person in the workspace',
    attributes: [
      attribute('userName', 'string', 'The name that identifies the person, usually an email address.', {
        required: true,
        uniqueness: 'server',
      }),
      complex('name', 'The parts of the name.', false, [
        attribute('formatted', 'string', 'The full name.'),
        attribute('givenName', 'string', 'The given name.'),
        attribute('familyName', 'string', 'The family name.'),
      ]),
      attribute('displayName', 'string', 'The name that other members see.'),
      attribute('active', 'boolean', 'Whether the person is a member of the workspace.'),
      complex('emails', 'The email address of the person.', true, [
        attribute('value', 'string', 'The email address.'),
        attribute('type', 'string', 'Always "work".'),
        attribute('primary', 'boolean', 'Always true.'),
      ]),
    ],
  },
  {
    id: groupSchema,
    name: 'Group',
    description: 'A team of the workspace',
    attributes: [
      attribute('displayName', 'string', 'The name of the team.', { required: true, uniqueness: 'server' }),
      complex('members', 'The members of the team.', true, [
        attribute('value', 'string', 'The ID of the person.', { caseExact: true }),
        attribute('$ref', 'reference', 'The URL of the person.', { mutability: 'readOnly', caseExact: true }),
        attribute('type', 'string', 'Always "User".', { mutability: 'readOnly' }),
        attribute('display', 'string', 'The name of the person.', { mutability: 'readOnly' }),
      ]),
    ],
  },
]

const resourceTypes: readonly (Resource & { id: string })[] = [
  {
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'Members of the workspace',
    schema: userSchema,
  },
  { id: 'Group', name: 'Group', endpoint: '/Groups', description: 'Teams', schema: groupSchema },
]

const withMeta = (
  resource: Resource & { id: string },
  kind: string,
  base: string,
  schema: string,
): Resource => ({
  schemas: [schema],
  ...resource,
  meta: { resourceType: kind, location: `${base}/${resource.id}` },
})

export const listOfSchemas = (baseUrl: string): Resource[] =>
  schemas.map((each) =>
    withMeta(each, 'Schema', `${baseUrl}/Schemas`, 'urn:ietf:params:scim:schemas:core:2.0:Schema'),
  )

export const listOfResourceTypes = (baseUrl: string): Resource[] =>
  resourceTypes.map((each) =>
    withMeta(
      each,
      'ResourceType',
      `${baseUrl}/ResourceTypes`,
      'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
    ),
  )

export const serviceProviderConfig = (baseUrl: string, docsUrl: string): Resource => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: docsUrl,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The SCIM token of the workspace',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
})
