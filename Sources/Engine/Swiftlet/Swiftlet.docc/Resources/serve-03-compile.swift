import Foundation
import Swiftlet

let file = try Model(contentsOf: CommandLine.arguments[1])
let support = file.support()
guard support.isSupported else {
  for missing in support.unsupportedOperators { print("not supported:", missing) }
  if let error = support.error { print(error) }
  exit(1)
}

var limits = RuntimeOptions.Limits()
limits.sessionBytes = 256 << 20
limits.runWork = .seconds(2)
let options = RuntimeOptions(threads: 1, limits: limits, timeout: .seconds(5))
let model = try CompiledModel(file, options: options)
