// Client code as in a Swift 5 app: one import, optional interpreters, bytes by pointers, a queue, and completion
// handlers.
import TensorFlowLite

/// An error of a frame.
enum FrameError: Error {
  case noModel(name: String)
  case failed(Error)
}

/// Classifies the frames of a camera, on a queue of its own.
class FrameWatcher: NSObject {
  let threadCountLimit = 10
  private var interpreter: Interpreter?
  private var delegates: [Delegate]? = []
  private let queue = DispatchQueue(label: "frame-watcher")
  private let inputWidth: Int
  private let inputHeight: Int
  private let batchSize = 1
  private let inputChannels = 3

  /// Creates a watcher that uses the Neural Engine or the GPU if the app requests it.
  init?(
    modelPath: String, width: Int, height: Int, threadCount: Int = 1, usesNeuralEngine: Bool = false,
    usesGraphics: Bool = false
  ) {
    inputWidth = width
    inputHeight = height
    super.init()
    var options = Interpreter.Options()
    options.threadCount = min(threadCount, threadCountLimit)
    if usesNeuralEngine {
      if let coreML = CoreMLDelegate() { delegates = [coreML] } else { print("no neural engine") }
    } else if usesGraphics {
      var metal = MetalDelegate.Options()
      metal.waitType = .active
      metal.isPrecisionLossAllowed = true
      delegates?.append(MetalDelegate(options: metal))
    } else {
      delegates = nil
    }
    do {
      interpreter = try Interpreter(modelPath: modelPath, options: options, delegates: delegates)
      try interpreter?.allocateTensors()
    } catch let error {
      print("Failed to create the interpreter with error: \(error.localizedDescription)")
      return nil
    }
  }

  /// Whether the model accepts images in bytes instead of floats.
  var isQuantized: Bool {
    guard let input = try? interpreter?.input(at: 0), input.shape.rank == 4 else { return false }
    return input.dataType == .uInt8
  }

  func watch(_ frame: [UInt8], completion: @escaping (Result<[Float], FrameError>) -> Void) {
    queue.async { [weak self] in
      guard let self = self, let interpreter = self.interpreter else {
        completion(.failure(.noModel(name: "frames")))
        return
      }
      do {
        let input = try interpreter.input(at: 0)
        let byteCount = self.batchSize * self.inputWidth * self.inputHeight * self.inputChannels
        guard let data = self.bytes(frame, byteCount: byteCount, isModelQuantized: input.dataType == .uInt8) else {
          completion(.success([]))
          return
        }
        try interpreter.copy(data, toInputAt: 0)
        try interpreter.invoke()
        let output: Tensor = try interpreter.output(at: 0)
        switch output.dataType {
        case .uInt8:
          guard let quantization = output.quantizationParameters else {
            completion(.success([]))
            return
          }
          let values = [UInt8](output.data)
          completion(.success(values.map { quantization.scale * Float(Int($0) - quantization.zeroPoint) }))
        case .float32:
          completion(.success([Float32](unsafeData: output.data) ?? []))
        default:
          print("Output tensor data type \(output.dataType) is unsupported for this example app.")
          completion(.success([]))
        }
      } catch InterpreterError.invalidTensorDataCount(let provided, let required) {
        print("\(provided) bytes in place of \(required)")
        completion(.failure(.failed(InterpreterError.invalidTensorDataCount(provided: provided, required: required))))
      } catch {
        completion(.failure(.failed(error)))
      }
    }
  }

  private func bytes(_ frame: [UInt8], byteCount: Int, isModelQuantized: Bool) -> Data? {
    guard frame.count == byteCount else { return nil }
    if isModelQuantized { return Data(frame) }
    return Data(copyingBufferOf: frame.map { Float($0) / 255.0 })
  }
}

extension Data {
  init<T>(copyingBufferOf array: [T]) {
    self = array.withUnsafeBufferPointer(Data.init)
  }

  func toArray<T>(type: T.Type) -> [T] where T: AdditiveArithmetic {
    var array = [T](repeating: T.zero, count: self.count / MemoryLayout<T>.stride)
    _ = array.withUnsafeMutableBytes { self.copyBytes(to: $0) }
    return array
  }
}

extension Array {
  init?(unsafeData: Data) {
    guard unsafeData.count % MemoryLayout<Element>.stride == 0 else { return nil }
    self = unsafeData.withUnsafeBytes { .init($0.bindMemory(to: Element.self)) }
  }
}
