// The permissions that Android calls dangerous because they give access to personal data or sensors, and those that let
// an app watch or change others.
const sensitive: ReadonlySet<string> = new Set(
  `ACCEPT_HANDOVER ACCESS_BACKGROUND_LOCATION ACCESS_COARSE_LOCATION ACCESS_FINE_LOCATION ACCESS_MEDIA_LOCATION
  ACTIVITY_RECOGNITION ADD_VOICEMAIL ANSWER_PHONE_CALLS BIND_ACCESSIBILITY_SERVICE BIND_DEVICE_ADMIN
  BLUETOOTH_ADVERTISE BLUETOOTH_CONNECT BLUETOOTH_SCAN BODY_SENSORS BODY_SENSORS_BACKGROUND CALL_PHONE CAMERA
  GET_ACCOUNTS MANAGE_EXTERNAL_STORAGE NEARBY_WIFI_DEVICES POST_NOTIFICATIONS PROCESS_OUTGOING_CALLS
  QUERY_ALL_PACKAGES READ_CALENDAR READ_CALL_LOG READ_CONTACTS READ_EXTERNAL_STORAGE READ_MEDIA_AUDIO
  READ_MEDIA_IMAGES READ_MEDIA_VIDEO READ_MEDIA_VISUAL_USER_SELECTED READ_PHONE_NUMBERS READ_PHONE_STATE READ_SMS
  RECEIVE_MMS RECEIVE_SMS RECEIVE_WAP_PUSH RECORD_AUDIO REQUEST_INSTALL_PACKAGES SEND_SMS SYSTEM_ALERT_WINDOW USE_SIP
  UWB_RANGING WRITE_CALENDAR WRITE_CALL_LOG WRITE_CONTACTS WRITE_EXTERNAL_STORAGE WRITE_SETTINGS`.split(
    /\s+/,
  ),
)

/** Returns the name of a permission without the prefix of the platform. */
export const shortPermission = (permission: string): string =>
  permission.replace(/^android\.permission\./, '')

/** Returns whether a permission gives access to personal data, sensors or other apps. */
export const isSensitive = (permission: string): boolean =>
  permission.startsWith('android.permission.') && sensitive.has(shortPermission(permission))
