import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// RANDOM_STANDARD_NORMAL: random numbers of mean 0 and deviation 1.
///
/// - Shapes: input 0 is the output's shape.
/// - Types: shape int32, output float32.
/// - Source: operator 146 of the model format; Box and Muller's transform of the reference's generator. It goes on from
///   run to run; two seeds of 0 give other numbers in every session.
struct RandomStandardNormalOperator: RandomTensorOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.randomStandardNormal, versions: 1...1, floatError: 1e-6, types: types)
  }

  let seeds: RandomSeeds

  static let cost = 150.0

  static func fill(_ output: UnsafeMutablePointer<Float>, count: Int, _ generator: inout Philox) {
    for start in stride(from: 0, to: count, by: 4) {
      let words = generator.next()
      for index in stride(from: 0, to: min(4, count &- start), by: 2) {
        let radius = (-2 * logf(max(RandomFloat.float(words[index]), 1e-7))).squareRoot()
        let angle = Float(2 * Double.pi * Double(RandomFloat.float(words[index &+ 1])))
        output[start &+ index] = sinf(angle) * radius
        if start &+ index &+ 1 < count { output[start &+ index &+ 1] = cosf(angle) * radius }
      }
    }
  }
}
