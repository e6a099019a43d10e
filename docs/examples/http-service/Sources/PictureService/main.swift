// A minimal HTTP service: picture-service [PORT [MODEL]]. Listens on this machine only; what faces a network stands before it.
import Foundation
import SwiftletModels
import SwiftletVision

/// Says what is wrong and ends.
func fail(_ reason: String) -> Never {
  FileHandle.standardError.write(Data("error: \(reason)\n".utf8))
  exit(1)
}

let arguments = CommandLine.arguments.dropFirst()
guard let port = UInt16(arguments.first ?? "8080") else { fail("the port is a number up to 65535") }
let model = arguments.dropFirst().first.map { ModelSource.file($0) } ?? .embedded(.imageClassifier)
// Writing to a client that has gone is an error of that connection.
signal(SIGPIPE, SIG_IGN)

do {
  let service = try PictureService(model: model, sessions: ProcessInfo.processInfo.activeProcessorCount)
  let listener = try Listener(port: port)
  print("http://127.0.0.1:\(listener.port)")
  fflush(nil)
  while true { service.serve(try listener.accept()) }
} catch {
  fail("\(error)")
}
