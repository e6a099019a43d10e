import Testing

/// The program that runs these tests: SwiftPM, which makes one of its own, knows no modules that stand in for Apple's.
@main
struct TestProgram {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
