import Foundation
import SwiftletModelStore

// Downloads a model and kills itself on the way, for tests of the state that is left.
//
// usage: ModelDownloadChild FOLDER URL STEP BYTES: dies after the step, once BYTES bytes have arrived; the step "none"
// disables this.
guard CommandLine.arguments.count == 5, let url = URL(string: CommandLine.arguments[2]),
  let byteCount = Int64(CommandLine.arguments[4])
else {
  exit(2)
}
let step = StoreEnvironment.Step(rawValue: CommandLine.arguments[3])
var options = ModelStoreOptions(directory: URL(fileURLWithPath: CommandLine.arguments[1]))
options.allowsLoopbackHTTP = true
var environment = StoreEnvironment()
environment.reached = { reached, count in
  if reached == step, count >= byteCount { kill(getpid(), SIGKILL) }
}
let store = ModelStore(options: options, environment: environment)
do {
  _ = try await store.model(RemoteModel(name: "victim", url: url))
  exit(0)
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
