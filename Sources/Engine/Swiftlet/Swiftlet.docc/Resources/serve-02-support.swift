import Foundation
import Swiftlet

let file = try Model(contentsOf: CommandLine.arguments[1])
let support = file.support()
guard support.isSupported else {
  for missing in support.unsupportedOperators { print("not supported:", missing) }
  if let error = support.error { print(error) }
  exit(1)
}
