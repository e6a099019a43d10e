import Foundation
import SwiftletCommandLine
import SwiftletJSON
import SwiftletLocalServer

/// `studio`: a local web page that runs the tasks on the user's images, camera, audio, and text.
enum StudioCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "studio", summary: "serve a local web page that runs the tasks on your images, camera, audio, and text",
    options: [
      .value(
        "models", .folder,
        "also offer the models in a directory and its subdirectories: .tflite files and .task bundles"),
      .value(
        "images", .folder, "also offer the images in a directory as samples, at most \(StudioSamples.maximumFiles)"),
      .value("port", .integer(0...65535), "the port; 0 for any free one (default: 8017)"),
      RuntimeArguments.json,
    ],
    notes: """
      The page is served on this machine only (127.0.0.1 and ::1). Its address contains a secret token; requests without it are refused. Nothing is \
      sent to a network, and no file is written. The command prints the address and runs until it is interrupted.
      Without --models, the tasks run the bundled models, which were trained on synthetic images, and the models that 'models fetch' downloaded.
      """,
    examples: [
      Example("swiftlet studio", "serve the page"),
      Example(
        "swiftlet studio --models bundles --images photos", "also offer the models and images of two directories"),
    ])

  private static let standardPort = 8017
  private static let maximumWarnings = 8

  static func run(_ arguments: Arguments) throws -> Int32 {
    let models = try StudioModels(folder: arguments.string("models"))
    for error in models.left.prefix(maximumWarnings) { StandardStreams.warn(error.description) }
    if models.left.count > maximumWarnings {
      StandardStreams.warn("\(models.left.count - maximumWarnings) more files are left out")
    }
    let service = StudioService(models: models, samples: try StudioSamples(folder: arguments.string("images")))
    let token = LocalServer.randomToken()
    let server = try server(arguments, token) { service.response(to: $0, token: token) }
    server.start()
    if arguments.flag("json") {
      let json: JSONValue = .object([
        "address": .string(server.address), "port": .int(Int(server.port)), "token": .string(token),
      ])
      StandardStreams.output(json.text + "\n")
    } else {
      StandardStreams.output("\(server.address)\n")
      StandardStreams.error("Open this address in a browser. Press Control-C to stop.\n")
    }
    while true { sleep(.max) }
  }

  /// Opens the port. If the default port is in use, another one is.
  private static func server(
    _ arguments: Arguments, _ token: String, _ handler: @escaping LocalServer.Handler
  ) throws -> LocalServer {
    if let port = arguments.int("port") {
      return try LocalServer(port: UInt16(port), token: token, handler: handler)
    }
    do throws(ServerFailure) {
      return try LocalServer(port: UInt16(standardPort), token: token, handler: handler)
    } catch {
      return try LocalServer(port: 0, token: token, handler: handler)
    }
  }
}
