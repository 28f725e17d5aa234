import { Checkbox, NumberInput, Radio, SimpleGrid, Slider, Stack, Text, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { Channel, Rollout } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { channelText, rolloutStateHints, rolloutStateTexts } from '../../text/distribution/channels.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import classes from './channel-page.module.css'
import { reloadChannels } from './channel.queries.ts'
import { rolloutBodyOf, rolloutValuesOf, systems, type RolloutValues } from './rollout-form.ts'

type Props = { channel: Channel; rollout?: Rollout; onClose: () => void }

const states = Object.keys(rolloutStateTexts) as Rollout['state'][]
const versionFormat = /^v?\d{1,4}\.\d{1,4}\.\d{1,4}(-[\dA-Za-z.-]+)?(\+[\dA-Za-z.-]+)?$/

/** Changes how a channel offers a version, which need not be published yet. */
export function RolloutDialog({ channel, rollout, onClose }: Props) {
  const queryClient = useQueryClient()
  const form = useForm<RolloutValues>({
    initialValues: rolloutValuesOf(rollout),
    validate: {
      version: (version) => (versionFormat.test(version.trim()) ? null : channelText.versionError),
      failures_percent: (percent, { has_stop_rule: hasRule }) =>
        !hasRule || percent > 0 ? null : channelText.failuresError,
      minimum_reports: (reports, { has_stop_rule: hasRule }) =>
        !hasRule || reports >= 1 ? null : channelText.reportsError,
    },
  })
  async function save(values: RolloutValues): Promise<void> {
    const { id, application_id: applicationId } = channel
    const body = rolloutBodyOf(values, rollout)
    await api.updateRollout({ application_id: applicationId, channel_id: id, body })
    await reloadChannels(queryClient, applicationId)
    onClose()
  }
  const { state, percentage } = form.values
  const isActive = state === 'active'
  return (
    <FormDialog
      title={rollout === undefined ? 'New rollout' : `Rollout of ${rollout.version}`}
      submitLabel="Save"
      form={form}
      onSubmit={save}
      onClose={onClose}
    >
      {rollout === undefined && (
        <TextInput
          label="Version"
          placeholder="2.1.0"
          maxLength={200}
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('version')}
        />
      )}
      <Radio.Group label="State" {...form.getInputProps('state')}>
        <Stack gap={8} mt={6}>
          {states.map((each) => (
            <Radio
              key={each}
              value={each}
              label={rolloutStateTexts[each]}
              description={rolloutStateHints[each]}
            />
          ))}
        </Stack>
      </Radio.Group>
      <div className={classes.percentage}>
        <div>
          <Text component="span" fz="sm" fw={500}>
            Clients
          </Text>
          <Slider
            className={classes.slider}
            thumbLabel="Percentage of clients"
            size="sm"
            label={null}
            disabled={!isActive}
            marks={[0, 25, 50, 75, 100].map((value) => ({ value, label: `${value} %` }))}
            value={percentage}
            onChange={(value) => form.setFieldValue('percentage', value)}
          />
        </div>
        <NumberInput
          aria-label="Percentage"
          suffix=" %"
          min={0}
          max={100}
          decimalScale={2}
          disabled={!isActive}
          value={percentage}
          onChange={(value) => typeof value === 'number' && form.setFieldValue('percentage', value)}
          error={form.errors['percentage']}
        />
      </div>
      {isActive && percentage < 100 && (
        <TextInput type="datetime-local" label={channelText.growsBy} {...form.getInputProps('complete_at')} />
      )}
      <StopRule form={form} />
      <RolloutRules form={form} />
    </FormDialog>
  )
}

/** When reports of failures stop the rollout. */
function StopRule({ form }: { form: UseFormReturnType<RolloutValues> }) {
  return (
    <div>
      <Checkbox
        label={channelText.stopRule}
        description={channelText.stopRuleHint}
        {...form.getInputProps('has_stop_rule', { type: 'checkbox' })}
      />
      {form.values.has_stop_rule && (
        <div className={classes.rule}>
          <NumberInput
            label={channelText.failures}
            suffix=" %"
            min={0}
            max={100}
            decimalScale={2}
            {...form.getInputProps('failures_percent')}
          />
          <NumberInput
            label={channelText.minimumReports}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            {...form.getInputProps('minimum_reports')}
          />
        </div>
      )}
    </div>
  )
}

/** Who must or may install the version. */
function RolloutRules({ form }: { form: UseFormReturnType<RolloutValues> }) {
  return (
    <>
      <TextInput
        label="Cohorts"
        description={channelText.cohorts}
        placeholder="testers"
        autoComplete="off"
        {...form.getInputProps('cohorts')}
      />
      <Checkbox label={channelText.critical} {...form.getInputProps('is_critical', { type: 'checkbox' })} />
      <Checkbox label={channelText.required} {...form.getInputProps('is_required', { type: 'checkbox' })} />
      <div>
        <Text component="span" fz="sm" fw={500}>
          {channelText.minimumOs}
        </Text>
        <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="xs" mt={4}>
          {systems.map(({ id, name, example }) => (
            <TextInput
              key={id}
              label={name}
              placeholder={example}
              maxLength={40}
              autoComplete="off"
              {...form.getInputProps(`minimum_os.${id}`)}
            />
          ))}
        </SimpleGrid>
      </div>
    </>
  )
}
