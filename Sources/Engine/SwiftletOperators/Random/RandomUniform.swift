import SwiftletEngine
import SwiftletSchema

/// RANDOM_UNIFORM: random numbers from 0 to below 1.
///
/// - Shapes: input 0 is the output's shape.
/// - Types: shape int32, output float32.
/// - Source: operator 148 of the model format; the reference's generator, so that equal seeds give equal numbers. It
///   goes on from run to run; two seeds of 0 give other numbers in every session.
struct RandomUniformOperator: RandomTensorOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.randomUniform, versions: 1...1, types: types)
  }

  let seeds: RandomSeeds

  static let cost = 30.0

  static func fill(_ output: UnsafeMutablePointer<Float>, count: Int, _ generator: inout Philox) {
    for start in stride(from: 0, to: count, by: 4) {
      let words = generator.next()
      for index in 0..<min(4, count &- start) { output[start &+ index] = RandomFloat.float(words[index]) }
    }
  }
}
