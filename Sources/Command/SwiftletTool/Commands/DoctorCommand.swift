import Swiftlet
import SwiftletBase
import SwiftletCommandLine
import SwiftletDiagnosis
import SwiftletJSON
import SwiftletReports

/// `doctor`: what is wrong with a model, in which layer, and what to do.
enum DoctorCommand: ToolCommand {
  private static let inputFile = ValueKind.file(".npy", ".jpg", ".jpeg", ".png")

  static let declaration = CommandDeclaration(
    name: "doctor", summary: "find what is wrong with a model, and which layer of a quantized model adds the error",
    operands: "MODEL [FILE…]", operandCount: 1...1001, operandKinds: [ModelArgument.file, inputFile],
    options: [
      .value("reference", ModelArgument.file, as: "MODEL", "the float model that MODEL was quantized from"),
      .value(
        "inputs", inputFile, as: "FILE",
        "an image or .npy file, or a directory of them; more may follow (default: generated inputs)",
        isRepeatable: true),
      .value(
        "overlay", .file(".json"),
        "also write node data for Model Explorer: FILE-added-error.json and FILE-time.json, without the .json of FILE"),
    ]
      + PageArgument.declarations("also write an HTML page with the findings, and the graph colored by error and time")
      + [
        .value("threads", .integer(1...1024), "the number of inputs to run at the same time (default: all cores)"),
        RuntimeArguments.timeout, RuntimeArguments.json,
      ],
    notes: """
      The findings come first, the most serious ones at the top. Without --reference, the model's metadata, quantization, constants, and graph are checked, \
      and the ranges of its tensors over the inputs. With --reference, the error of each layer is separated into what it inherits and what it adds, and \
      layers that add more than quantization explains are named.
      Images are stretched to the model's input and normalized as the metadata of the reference or of the model says. An .npy file holds real numbers in \
      float32, or elements of the input's type. A model with n inputs takes n files for each run, in the order of the inputs.
      The exit status is 0 even if there are findings.
      """,
    examples: [
      .init("doctor model.tflite --inputs photos", "check a model on its own"),
      .init(
        "doctor int8.tflite --reference float.tflite --inputs photos --html report.html",
        "find the layers that make a quantized model worse"),
    ])

  static func run(_ arguments: Arguments) throws -> Int32 {
    let page = try PageArgument.path(arguments)
    let options = RuntimeArguments.options(arguments)
    let path = ModelArgument.path(arguments.operands[0])
    let model = try load(path)
    let reference = arguments.string("reference").map(ModelArgument.path)
    let other = try reference.map(load)
    let bar = Mutex(ProgressBar("doctor", total: 100))
    defer { bar.withLock { $0.hide() } }
    let report = try DoctorReport.examined(
      path, model, reference: reference.flatMap { name in other.map { (name, $0) } },
      inputs: arguments.strings("inputs") + arguments.operands.dropFirst(), options: options,
      progress: { share in bar.withLock { $0.draw(share: share) } })
    bar.withLock { $0.hide() }
    try write(report, options, arguments, page: page)
    StandardStreams.output(arguments.flag("json") ? report.json.text + "\n" : report.text)
    return 0
  }

  private static func load(_ path: String) throws -> Model {
    try ModelArgument.require(path)
    return try Model(contentsOf: path)
  }

  private static func write(
    _ report: DoctorReport, _ options: RuntimeOptions, _ arguments: Arguments, page: String?
  ) throws {
    let json = report.json
    if let page { try OutputFile.write(report.page(options).bytes, to: page) }
    guard let overlay = arguments.string("overlay") else { return }
    let stem = overlay.hasSuffix(".json") ? String(overlay.dropLast(5)) : overlay
    let graph = report.model.file.subgraphs[0].name ?? ""
    for set in ModelExplorerOverlay.dataSets(json, graph: graph) {
      try OutputFile.write(Array((set.document.text + "\n").utf8), to: "\(stem)-\(set.name).json")
    }
  }
}
