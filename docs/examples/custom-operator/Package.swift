// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "custom-operator",
  platforms: [.macOS(.v13)],
  // In your own package, use the URL of Swiftlet's repository and a version.
  dependencies: [.package(name: "swiftlet", path: "../../..")],
  targets: [
    .executableTarget(
      name: "RunThreshold",
      dependencies: [
        .product(name: "Swiftlet", package: "swiftlet")
      ])
  ]
)
