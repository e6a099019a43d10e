// A minimal HTTP service: image-service [PORT [MODEL]]. It only listens on this machine; put a reverse proxy in front
// of it to serve a network.
import Foundation
import SwiftletModels
import SwiftletVision

/// Prints the reason and exits.
func fail(_ reason: String) -> Never {
  FileHandle.standardError.write(Data("error: \(reason)\n".utf8))
  exit(1)
}

let arguments = CommandLine.arguments.dropFirst()
guard let port = UInt16(arguments.first ?? "8080") else { fail("the port is a number up to 65535") }
let model = arguments.dropFirst().first.map { ModelSource.file($0) } ?? .embedded(.imageClassifier)
// Writing to a closed connection must be an error of that connection, not a signal.
signal(SIGPIPE, SIG_IGN)

do {
  let service = try ImageService(model: model, sessions: ProcessInfo.processInfo.activeProcessorCount)
  let listener = try Listener(port: port)
  print("http://127.0.0.1:\(listener.port)")
  fflush(nil)
  while true { service.serve(try listener.accept()) }
} catch {
  fail("\(error)")
}
