require 'json'
require 'open3'
require 'tmpdir'

module Fastlane
  module Actions
    module SharedValues
      QUAYSIDE_BUILD_ID = :QUAYSIDE_BUILD_ID
      QUAYSIDE_BUILD_URL = :QUAYSIDE_BUILD_URL
      QUAYSIDE_DOWNLOAD_URL = :QUAYSIDE_DOWNLOAD_URL
    end

    class QuaysideUploadAction < Action
      def self.run(params)
        Dir.mktmpdir do |folder|
          program = File.join(folder, 'quayside.mjs')
          url = "#{params[:server].chomp('/')}/cli/quayside.mjs"
          unless system('curl', '-fsSL', '--retry', '3', url, '-o', program)
            UI.user_error!("Cannot download the Quayside CLI from #{url}. Check the URL of the server.")
          end
          response = upload(program, params)
          lane_context[SharedValues::QUAYSIDE_BUILD_ID] = response['build_id']
          lane_context[SharedValues::QUAYSIDE_BUILD_URL] = response['build_info_url']
          lane_context[SharedValues::QUAYSIDE_DOWNLOAD_URL] = response['download_url']
          UI.success("Uploaded version #{response['version']} to #{response['build_info_url']}")
          response
        end
      end

      # The arguments do not pass through a shell, and the key is not visible in the list of processes.
      def self.upload(program, params)
        environment = { 'QUAYSIDE_SERVER' => params[:server], 'QUAYSIDE_APPLICATION' => params[:application] }
        environment['QUAYSIDE_API_KEY'] = params[:api_key] if params[:api_key]
        arguments = ['upload', params[:file], '--stream', params[:stream]]
        arguments += ['--platform', params[:platform]] if params[:platform]
        arguments += ['--version', params[:version]] if params[:version]
        arguments += ['--build-number', params[:build_number].to_s] if params[:build_number]
        arguments += ['--notes', params[:notes]] if params[:notes]
        params[:labels].each { |label| arguments += ['--label', label] }
        params[:metadata].each { |path| arguments += ['--metadata', path] }
        output, status = Open3.capture2(environment, 'node', program, *arguments, '--json')
        UI.user_error!('The upload to Quayside failed. See the error above.') unless status.success?
        JSON.parse(output)
      end

      def self.description
        'Uploads a build to a Quayside server'
      end

      def self.available_options
        [
          option(:server, 'QUAYSIDE_SERVER', 'URL of the Quayside server'),
          option(:application, 'QUAYSIDE_APPLICATION', 'ID or name of the application'),
          option(:file, 'QUAYSIDE_FILE', 'Path of the file to upload', default_value: default_file),
          option(:api_key, 'QUAYSIDE_API_KEY', 'API key with the scope builds:create', optional: true, sensitive: true),
          option(:stream, 'QUAYSIDE_STREAM', 'Stream to add the build to', default_value: 'default'),
          option(:platform, 'QUAYSIDE_PLATFORM', 'Platform (default: detected from the file)', optional: true),
          option(:version, 'QUAYSIDE_VERSION', 'Version (default: from the file name or the tag)', optional: true),
          option(:build_number, 'QUAYSIDE_BUILD_NUMBER', 'Build number (default: from CI)', optional: true),
          option(:notes, 'QUAYSIDE_NOTES', 'Release notes in Markdown', optional: true),
          option(:labels, 'QUAYSIDE_LABELS', 'Labels', type: Array, default_value: []),
          option(:metadata, 'QUAYSIDE_METADATA', 'Metadata files to attach', type: Array, default_value: [])
        ]
      end

      def self.option(key, variable, description, **rest)
        FastlaneCore::ConfigItem.new(key: key, env_name: variable, description: description, **rest)
      end

      # Returns the file that `gym` or `gradle` built earlier in the same lane.
      def self.default_file
        lane_context[:IPA_OUTPUT_PATH] || lane_context[:GRADLE_AAB_OUTPUT_PATH] || lane_context[:GRADLE_APK_OUTPUT_PATH]
      end

      def self.output
        [
          ['QUAYSIDE_BUILD_ID', 'ID of the build'],
          ['QUAYSIDE_BUILD_URL', 'URL of the build in the console'],
          ['QUAYSIDE_DOWNLOAD_URL', 'API URL that returns download links for the build']
        ]
      end

      def self.return_value
        'The response of the upload'
      end

      def self.authors
        ['Quayside']
      end

      def self.is_supported?(_platform)
        true
      end
    end
  end
end
